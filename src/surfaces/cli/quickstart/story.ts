// What the quickstart does, in order. Every step is a use case that works the same in a person's own repository; this
// file only strings them together and says what happened.
import { appendWanted, type Wanted } from '../../../app/append.ts';
import { beginMission, beginProject, firstRoster } from '../../../app/begin.ts';
import { pullLedgers, pushLedgers } from '../../../app/sync.ts';
import { tamperWithHead } from '../../../app/tamper.ts';
import { refuseFlawed } from '../../../app/workbench.ts';
import type { ProjectView } from '../../../app/adoption.ts';
import type { Workbench } from '../../../app/workbench.ts';
import { prove } from '../../../app/prove.ts';
import type { Signer } from '../../../ports/keys.ts';
import { checkBundle } from '../../../ledger/bundle.ts';
import { ledgerName, missionRef, PROJECT_REF } from '../../../ledger/names.ts';
import { rosterWith, submitRoster } from './second-person.ts';
import { unwrap } from '../workspace.ts';
import type { Stage } from './world.ts';

export type Tell = (step: string, ...facts: readonly string[]) => void;
export type Told = { readonly mission: string; readonly genesis: string; readonly proof: string };

export async function tellStory(stage: Stage, tell: Tell): Promise<Told> {
  const { app, scratch } = stage;
  await scratch.initRepository('laptop');
  await scratch.initRepository('server.git', { bare: true });
  const ana = await stage.newKey('ana');
  const bo = await stage.newKey('bo');
  tell('Two people make keys', `ana ${ana.fingerprint}`, `bo  ${bo.fingerprint}`);

  const { genesis, mission, note } = await stage.inside('laptop', async (bench) => {
    const started = await beginLedgers(stage, bench, { ana, bo }, tell);
    return { ...started, note: await appendAsBoth(stage, bench, started.ref, { ana, bo }, tell) };
  });

  await stage.inside('laptop', async (bench) => void (await pushLedgers(bench)), 'server.git');
  tell('The ledgers are pushed to a bare repository, forwards only');

  await scratch.initRepository('auditor');
  await stage.inside('auditor', (bench) => audit(bench, genesis, tell), 'server.git');

  const bytes = await stage.inside(
    'laptop',
    async (bench) => (await prove(bench, missionRef(mission), { event: String(note) })).bytes,
  );
  const proof = await scratch.write('proof.json', bytes);
  const { claim, head } = unwrap(checkBundle(app.crypto, bytes, { genesis }));
  const what = claim.is === 'event' ? `event ${claim.index} (${claim.event.event_type})` : 'the growth';
  tell(
    'One file proves one event, without any repository',
    `${proof}: ${what} is in the ledger of ${head.size} events`,
  );

  const name = ledgerName(missionRef(mission));
  tell('Stock git and gpg say the same of the signature', await stockSays(stage, missionRef(mission)));
  tell(
    'Somebody alters one event in the auditor’s copy, and keeps the signature',
    ...(await forge(stage, missionRef(mission), genesis)),
  );
  return { mission: name, genesis, proof };
}

type People = { readonly ana: Signer; readonly bo: Signer };

async function beginLedgers(
  { app }: Stage,
  bench: Workbench,
  { ana, bo }: People,
  tell: Tell,
): Promise<{ genesis: string; mission: string; ref: string }> {
  const projectId = app.ids.next();
  const project = bench.session(PROJECT_REF, ana);
  unwrap(await project.submit(beginProject(projectId, firstRoster(projectId, 'ana', ana))));
  const { state } = await project.tip();
  const genesis = state!.project_genesis;
  tell('ana begins the project ledger: its first event is what everybody’s trust starts from', genesis);
  await submitRoster(app, project, ana, rosterWith(app.crypto, state!.roster, 'bo', bo));
  tell('ana signs a roster with bo on it: bo may vote and run work');
  const view = await bench.project();
  const mission = app.ids.next();
  const ref = missionRef(mission);
  unwrap(await bench.session(ref, ana, view).submit(beginMission(mission, view, null)));
  tell('A mission ledger grows out of the project ledger', `${ref} (${mission})`);
  return { genesis, mission, ref };
}

/** Returns the index of the note. */
async function appendAsBoth(
  { app }: Stage,
  bench: Workbench,
  ref: string,
  { ana, bo }: People,
  tell: Tell,
): Promise<number> {
  const view = await bench.project();
  const task = app.ids.next();
  const as = async (who: Signer, ...events: readonly Wanted[]): Promise<number> =>
    append(bench, view, ref, who, app.ids, events);
  await as(
    ana,
    { event_type: 'task.created', payload: { contract: null }, task_id: task },
    { event_type: 'task.readied', payload: {}, task_id: task },
  );
  await as(bo, { event_type: 'task.started', payload: {}, task_id: task });
  const digest = `sha256:${'5a'.repeat(32)}`;
  const note = await as(bo, {
    event_type: 'note.recorded',
    payload: { bytes: 12, digest, media_type: 'text/plain' },
    task_id: task,
  });
  tell(
    'ana and bo append events, each under their own key',
    'ana: task.created, task.readied   bo: task.started, note.recorded',
  );
  return note;
}

async function append(
  bench: Workbench,
  view: ProjectView,
  ref: string,
  who: Signer,
  ids: Stage['app']['ids'],
  events: readonly Wanted[],
): Promise<number> {
  return unwrap(await bench.session(ref, who, view).submit(appendWanted(events, ids))).from;
}

async function audit(bench: Workbench, genesis: string, tell: Tell): Promise<void> {
  const pulled = await pullLedgers(bench);
  const facts: string[] = [];
  let project: ProjectView | undefined;
  for (const { ledger } of pulled) {
    const ref = await bench.find(ledger);
    const { report } = await bench.verify(ref, 'full', { genesis, ...(project === undefined ? {} : { project }) });
    refuseFlawed(report);
    if (ref === PROJECT_REF) project = await bench.project();
    facts.push(`ok ${ledger}: ${report.events} events, trust ${report.trust.is}`);
  }
  tell('An auditor clones, is told the genesis fingerprint, and verifies alone', ...facts);
}

async function stockSays(stage: Stage, ref: string): Promise<string> {
  const { scratch } = stage;
  const head = await stage.inside('laptop', (bench) => bench.parts.repository.resolve(ref));
  const opinion = await scratch.stockOpinion(scratch.at('laptop'), head!);
  if (opinion.is === 'absent') return 'gpg is not installed here: this step was left out';
  return opinion.is === 'agrees'
    ? `git verify-commit: good signature by ${opinion.signer}`
    : `git verify-commit: ${opinion.says}`;
}

async function forge(stage: Stage, ref: string, genesis: string): Promise<string[]> {
  const { app } = stage;
  return stage.inside('auditor', async (bench) => {
    await tamperWithHead(app.crypto, bench.parts.repository, ref, ['"bytes":12', '"bytes":21']);
    const { report } = await bench.verify(ref, 'full', { genesis });
    if (report.integrity.is === 'ok') throw new TypeError('a forged ledger was accepted');
    const { code, index, oid } = report.integrity;
    return [
      `lazarus verify: ${code} at index ${index}, commit ${oid.slice(0, 12)}; everything before it still verifies`,
    ];
  });
}
