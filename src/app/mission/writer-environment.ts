// What the writer ran as when it caused effects, for their receipts: which lazarus, onto which repository, with which means.
// The ledger knows nothing of it: it is the writer's own word.
import { utf8 } from '../../format/bytes.ts';
import { jcs } from '../../format/jcs.ts';
import type { Executors } from '../../ports/effects.ts';
import { VERSION } from '../../version.ts';
import type { NewDocument } from '../artifacts/documents.ts';
import type { Workbench } from '../workbench.ts';

export function writerEnvironment({ parts }: Workbench, executors: Executors): NewDocument {
  const content = {
    executors: Object.keys(executors).toSorted(),
    lazarus: VERSION,
    schema: 'lazarus.writer.v1',
    target: parts.remote?.displayUrl ?? null,
  };
  return { content: utf8(jcs(content)), mediaType: 'application/json' };
}
