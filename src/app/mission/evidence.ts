// What the history of an attempt has to show for it: the cell it ran in, the grants that were used, what it printed and
// what the checks said. Receipts point at it; the state does not carry it along.
import type { ReadEvent } from '../../kernel/read.ts';
import { readEvents } from '../read-events.ts';
import type { Workbench } from '../workbench.ts';

export type Evidence = {
  readonly cell: string | undefined;
  readonly runGrant: string | undefined;
  /** By effect. */
  readonly grants: Readonly<Record<string, string>>;
  /** What a person's word on an effect rests on, by effect. */
  readonly settlements: Readonly<Record<string, readonly string[]>>;
  readonly environment: string | null;
  readonly outputs: readonly string[];
};

const OUTPUTS_MAX = 16;

export async function evidenceOf(bench: Workbench, ref: string, attempt: string): Promise<Evidence> {
  const evidence: { -readonly [K in keyof Evidence]: Evidence[K] } = {
    cell: undefined,
    runGrant: undefined,
    grants: {},
    settlements: {},
    environment: null,
    outputs: [],
  };
  const take = (event: ReadEvent): void => {
    if (event.attempt_id !== attempt) return;
    const add = (...digests: readonly (string | null)[]): void => {
      evidence.outputs = [...evidence.outputs, ...digests.filter((one) => one !== null)].slice(0, OUTPUTS_MAX);
    };
    switch (event.event_type) {
      case 'cell.spawned':
        evidence.cell = event.entity_id;
        evidence.runGrant = event.payload.grant_id;
        break;
      case 'cell.closed':
        evidence.environment = event.payload.facts;
        add(event.payload.output);
        break;
      case 'done.claimed':
        add(event.payload.claim);
        break;
      case 'work.proposed':
        add(event.payload.scope_audit);
        break;
      case 'verification.recorded':
        add(...event.payload.checks.map(({ output }) => output));
        break;
      case 'effect.intended':
        evidence.grants = { ...evidence.grants, [event.entity_id]: event.payload.grant_id };
        break;
      case 'decision.recorded': {
        const { subject_ref, rationale, evidence_refs } = event.payload;
        const refs = [rationale, ...evidence_refs].slice(0, OUTPUTS_MAX);
        evidence.settlements = { ...evidence.settlements, [subject_ref]: refs };
        break;
      }
      default:
    }
  };
  await readEvents(bench, ref, take);
  return evidence;
}
