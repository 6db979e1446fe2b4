// `lazarus reconcile <mission> --settle <effect> applied|not_applied`: a person's word on an effect that nobody can observe,
// under their own key. What follows from it is done afterwards by whoever may.
import { settle, type Word } from '../../../app/mission/settle.ts';
import { actOn } from '../../../app/mission/world.ts';
import { Failure } from '../../../failure.ts';
import { utf8 } from '../../../format/bytes.ts';
import { ARTIFACT_BYTES_MAX } from '../../../kernel/limits.ts';
import { shortDigest } from '../../../next-line.ts';
import type { Context } from '../command.ts';
import { personHere } from '../mission/keys.ts';
import type { MissionSite } from '../mission/site.ts';
import type { Values } from '../values.ts';
import { unwrap } from '../workspace.ts';
import { isPlainText, readContent } from './artifact-content.ts';

export function isSettling(args: Values, options: Values): boolean {
  const names = ['settle', 'reason', 'evidence', 'as', 'key'];
  return args.text('outcome') !== undefined || names.some((name) => options.text(name) !== undefined);
}

export async function settleBy(ctx: Context, site: MissionSite, word: Word): Promise<void> {
  const by = actOn(site.world, site.ref, await personHere(site));
  unwrap(await settle(by, word));
  ctx.out.note(`${by.principal} settled effect ${shortDigest(word.effect)} as ${word.outcome.replace('_', ' ')}`);
}

export async function wordOf(ctx: Context, args: Values, options: Values): Promise<Word> {
  const outcome = args.text('outcome');
  if (outcome !== 'applied' && outcome !== 'not_applied')
    throw new Failure('usage', { expected: '--settle <effect> applied|not_applied' });
  const evidence = options.text('evidence');
  return {
    effect: options.need('settle').toLowerCase(),
    outcome,
    reason: utf8(options.need('reason')),
    evidence: evidence === undefined ? [] : [await shown(ctx, evidence)],
  };
}

async function shown(ctx: Context, file: string): Promise<Word['evidence'][number]> {
  const content = await readContent(ctx, file, ARTIFACT_BYTES_MAX);
  return { content, mediaType: isPlainText(content) ? 'text/plain' : 'application/octet-stream' };
}
