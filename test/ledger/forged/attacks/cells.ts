// Attacks of a runner on what its cells say: checks left out, chosen by their results or never run, births for which
// nobody granted anything.
import { by, onAttempt, type Said } from '../../../support/course/asked.ts';
import {
  cellClosed,
  checkBorn,
  checkClosed,
  leased,
  result,
  spawned,
  started,
  verified,
} from '../../../support/course/worked.ts';
import { eventsUpTo } from '../../../support/course.ts';
import type { Event } from '../../../../src/kernel/event.ts';
import type { Attack } from '../../../support/forge/attack.ts';
import { ABOUT } from '../../../support/forge/course.ts';
import { uuid } from '../../../support/events.ts';
import { CAST, DIGEST } from '../../../support/given.ts';
import { forgedCourses } from './course.ts';

const runner = (...events: Event[]) => by(CAST.runner, ...events);
/** A cell that prepares something; nobody granted it a host. */
function preparing(changes: Parameters<typeof spawned>[0] = {}): Event {
  const nobody = { grant_id: null, manifest: null, manifest_hash: null, seed_id: null };
  const { payload } = spawned({ ...nobody, environment: [DIGEST], purpose: 'prepare', ...changes });
  return onAttempt('cell.spawned', payload, CAST.runner, { entity: uuid('preparing') });
}

/** Everything until people have granted the run, but asked and granted for this and nothing else. */
function grantedFor(scope: readonly string[]): Said[] {
  return eventsUpTo('granted', ABOUT)
    .slice(eventsUpTo('created', ABOUT).length)
    .map(({ by, event }) => {
      if (event.event_type === 'action.requested')
        return { by, event: { ...event, payload: { ...event.payload, target_resources: [...scope] } } };
      if (event.event_type === 'grant.issued')
        return { by, event: { ...event, payload: { ...event.payload, resource_scope: [...scope] } } };
      return { by, event };
    });
}

export const CELLS: readonly Attack[] = forgedCourses({
  'check-left-out': {
    does: 'verifies the work without the acceptance check that the plan names',
    at: 'checked',
    says: runner(verified({ checks: [result(0)] })),
    code: 'checks_not_planned',
  },
  'checks-that-never-ran': {
    does: 'verifies the work without a cell in which anything was checked',
    at: 'worked',
    says: runner(cellClosed(1), verified()),
    code: 'checks_not_planned',
  },
  'result-of-another-kind': {
    does: 'reports success for a check whose cell ended with a failure',
    at: 'checking',
    says: runner(checkClosed(0), checkClosed(1, 1), verified()),
    code: 'checks_not_planned',
  },
  'easy-check-in-place-of-the-hard-one': {
    does: 'runs the verify command twice and the acceptance check never',
    at: 'checked',
    says: runner(verified({ checks: [result(0), result(1, { check: 'verify' })] })),
    code: 'checks_not_planned',
  },
  'check-tried-until-it-passes': {
    does: 'starts a check once more after it has seen it fail',
    at: 'worked',
    says: runner(cellClosed(1), checkBorn(0), checkClosed(0, 1), {
      ...checkBorn(0),
      entity_id: uuid('another try'),
    }),
    code: 'checks_not_planned',
  },
  'check-after-a-result': {
    does: 'starts the next check only when it knows what the one before came to',
    at: 'worked',
    says: runner(cellClosed(1), checkBorn(0), checkClosed(0), checkBorn(1)),
    code: 'checks_not_planned',
  },
  'check-beside-the-agent': {
    does: 'checks the work while the agent is still running',
    at: 'worked',
    says: runner(checkBorn(0)),
    code: 'cell_open',
  },
  'check-in-a-weaker-cell': {
    does: 'checks the work in a cell weaker than people agreed to',
    at: 'worked',
    says: runner(cellClosed(1), checkBorn(0, { level: 1 })),
    code: 'level_unmet',
  },
  'agent-in-the-cell-of-a-check': {
    does: 'gives the cell of a check a seed of its own',
    at: 'worked',
    says: runner(cellClosed(1), checkBorn(0, { seed_id: uuid('seed'), manifest: DIGEST, manifest_hash: DIGEST })),
    code: 'event_malformed',
  },
  'host-that-nobody-granted': {
    does: 'opens a host to the agent that its grant does not name',
    at: 'leased',
    says: runner(
      onAttempt('context.compiled', { context_pack_ref: DIGEST }, CAST.runner),
      spawned({ reach: ['hosts/evil.example.org:443'] }),
    ),
    code: 'grant_mismatch',
  },
  'check-with-a-way-out': {
    does: 'opens a host to a check, which could send the work somewhere',
    at: 'worked',
    says: runner(cellClosed(1), checkBorn(0, { reach: ['hosts/evil.example.org:443'] })),
    code: 'event_malformed',
  },
  'preparing-with-the-agents-reach': {
    does: 'opens a route with a key to what prepares dependencies',
    at: 'leased',
    says: runner(preparing({ reach: ['routes/model'] })),
    code: 'grant_mismatch',
  },
  'preparing-beside-the-agent': {
    does: 'prepares dependencies while the agent could change them',
    at: 'spawned',
    says: runner(preparing()),
    code: 'cell_open',
  },
  'tokens-of-another-route': {
    does: 'counts tokens on a route that the cell did not have',
    at: 'worked',
    says: runner({
      ...cellClosed(1),
      payload: {
        ...cellClosed(1).payload,
        spent: [{ calls: 1, guessed: 0, route: 'other', tokens_in: 1, tokens_out: 1 }],
      },
    }),
    code: 'route_not_open',
  },
  'more-guesses-than-calls': {
    does: 'says of more calls than were made that what they cost was guessed',
    at: 'created',
    says: [
      ...grantedFor(['cells/process', 'routes/model']),
      ...runner(
        leased(1, CAST.runner, 'isolated'),
        started(),
        onAttempt('context.compiled', { context_pack_ref: DIGEST }, CAST.runner),
        spawned({ reach: ['routes/model'] }),
        {
          ...cellClosed(1),
          payload: {
            ...cellClosed(1).payload,
            spent: [{ calls: 1, guessed: 2, route: 'model', tokens_in: 1, tokens_out: 1 }],
          },
        },
      ),
    ],
    code: 'guessed_beyond_calls',
  },
  'grant-for-another-kind-of-cell': {
    does: 'starts the agent under a grant for cells of another kind',
    at: 'created',
    says: [
      ...grantedFor(['cells/docker']),
      ...runner(
        leased(1, CAST.runner, 'isolated'),
        started(),
        onAttempt('context.compiled', { context_pack_ref: DIGEST }, CAST.runner),
        spawned(),
      ),
    ],
    code: 'grant_mismatch',
  },
});
