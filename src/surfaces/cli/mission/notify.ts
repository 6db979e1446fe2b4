// Has a program tell somebody what is new since it told them last: it is started once for each thing, with the message on its
// standard input. What it could not deliver is tried again by the next call.
import { basename } from 'node:path';
import { tell } from '../../../app/tell.ts';
import { Failure } from '../../../failure.ts';
import type { News } from '../../../forge-text/message.ts';
import type { Site } from './site.ts';

type Notice = {
  readonly argv: readonly string[];
  /** Null: everything, whoever it waits for. */
  readonly person: string | null;
  readonly news: readonly News[];
};

export async function notify(site: Site, { argv, person, news }: Notice): Promise<void> {
  const { ctx, bench } = site;
  const { messengerOfPerson } = await import('../../../compose/messenger.ts');
  const { repository, crypto } = bench.parts;
  const { stateDir } = repository;
  const by = await messengerOfPerson(argv, { person, stateDir, env: ctx.env, cwd: ctx.cwd, signal: ctx.signal });
  const sender = { repository: nameOf(bench.parts.remote?.displayUrl, ctx.cwd), home: null };
  const { told, untold, why } = await tell({ news, sender, crypto, ...by });
  if (why !== undefined) throw new Failure('message_undelivered', { told: told.length, untold: untold.length, why });
  ctx.out.emit([told.length === 0 ? 'nothing new' : `told: ${told.length}`], { told: told.length });
}

/** As people call it: by the last parts of its address, or by its folder. */
function nameOf(url: string | undefined, cwd: string): string {
  return /([\w.-]+\/[\w.-]+?)(?:\.git)?\/*$/.exec(url ?? '')?.[1] ?? basename(cwd);
}
