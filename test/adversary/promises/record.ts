// Promises about the record itself: whose roster it follows, why each thing happened, that names are not used twice, and that
// its end is one.
import { personBehind, type Story } from '../story.ts';
import { promise, whenever, type Promised } from './promise.ts';

const AFTER_THE_END =
  /^(ingress\.recorded|artifact\.(recorded|erased)|receipt\.issued|cell\.|roster\.adopted|cut_off\.adopted|trust\.annotated|ledger\.)/;
const MAY_HAVE_NO_CAUSE =
  /^(ingress\.recorded|mission\.opened|project\.opened|ledger\.|trust\.|note\.recorded|artifact\.|roster\.|key\.|halt\.|policy\.revised|cut_off\.)/;
/** Each of these makes a thing that others name. */
const MAKES =
  /^(attempt\.created|action\.requested|policy\.evaluated|approval\.requested|vote\.cast|grant\.issued|cell\.spawned|effect\.intended|decision\.recorded|receipt\.issued)$/;

/** The request that an intent, an outcome or a receipt of an effect answers. */
function requestOf(story: Story, effect: string): string | undefined {
  const grant = story.of('effect.intended', effect)?.event.payload.grant_id ?? null;
  return story.of('grant.issued', grant)?.event.payload.action_request_ref;
}

export const RECORD: readonly Promised[] = [
  promise('the end', 'After its end a mission only takes what looks after it.', (story, { event }) =>
    story.last('mission.ended') !== undefined && !AFTER_THE_END.test(event.event_type) ? 'after the end' : undefined,
  ),
  promise(
    'sealed by the roots',
    'A ledger is closed by as many roots as the roster asks for, and nothing follows.',
    (story, { event }) => {
      if (story.last('ledger.sealed') !== undefined) return 'said after it was closed';
      if (event.event_type !== 'ledger.sealed') return undefined;
      const { members, threshold } = story.roster;
      const signed = event.payload.signatures.map(({ fingerprint }) => fingerprint);
      const roots = members.filter(
        ({ roles, keys }) => roles.includes('root') && keys.some((key) => signed.includes(key.fingerprint)),
      );
      return new Set(roots.map(personBehind)).size < threshold ? 'closed by too few' : undefined;
    },
  ),
  promise(
    'caused by something',
    'Every event but the few that begin something names what made it happen.',
    (story, { event }) => {
      if (event.causation_id === null) return MAY_HAVE_NO_CAUSE.test(event.event_type) ? undefined : 'no cause';
      return story.entries.some((one) => one.event.event_id === event.causation_id)
        ? undefined
        : 'a cause that is not in the log';
    },
  ),
  promise(
    'asked for by these words',
    'Everything of an attempt carries the number of the words that asked for what it does.',
    (story, { event, tx }) => {
      if (event.event_type === 'mission.proposed') {
        const words = story.all('ingress.recorded').filter((one) => one.tx === tx);
        const record = words.find((one) => one.event.entity_id === event.payload.ingress_id);
        return record?.event.correlation_id === event.correlation_id ? undefined : 'not that of the words it came from';
      }
      if (event.attempt_id === undefined) return undefined;
      const asked = story.last('mission.proposed')?.event.correlation_id;
      return event.correlation_id === asked ? undefined : 'not that of what was asked for';
    },
  ),
  promise(
    'one key for one effect',
    'Whoever asks for an effect twice uses one key twice: intent, outcome and receipt carry the id of its request.',
    (story, { event }) => {
      const expected =
        event.event_type === 'effect.intended'
          ? story.of('grant.issued', event.payload.grant_id)?.event.payload.action_request_ref
          : event.event_type === 'effect.observed'
            ? requestOf(story, event.entity_id)
            : event.event_type === 'receipt.issued'
              ? requestOf(story, event.payload.subject_ref)
              : undefined;
      return expected === undefined || event.idempotency_key === expected ? undefined : 'another key';
    },
  ),
  promise('one name for one thing', 'What is made has a name that nothing had before.', (story, { event }) => {
    if (!MAKES.test(event.event_type)) return undefined;
    return story.entries.some((one) => MAKES.test(one.event.event_type) && one.event.entity_id === event.entity_id)
      ? 'a name used twice'
      : undefined;
  }),
  promise(
    'no other roster',
    'Rosters follow each other as enough roots of the one before said.',
    whenever(['roster.adopted'], ({ payload }, story) => {
      const { members, n, threshold } = story.roster;
      if (payload.roster.n !== n + 1) return `${payload.roster.n} after ${n}`;
      const signed = payload.signatures.map(({ fingerprint }) => fingerprint);
      const roots = members.filter(
        ({ roles, keys }) => roles.includes('root') && keys.some((key) => signed.includes(key.fingerprint)),
      );
      return new Set(roots.map(personBehind)).size < threshold ? 'by too few' : undefined;
    }),
  ),
];
