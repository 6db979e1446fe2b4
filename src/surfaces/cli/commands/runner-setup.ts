// `lazarus runner setup`: what the keeper of a runner's machine types once, and again for each further repository.
import { placeOf } from '../../../app/init/runner/place.ts';
import { setUpRunner, type RunnerWanted } from '../../../app/init/runner/set-up-runner.ts';
import { word } from '../../../app/doctor/typed.ts';
import { compose } from '../../../compose/app.ts';
import { keeperOf } from '../../../compose/keeper.ts';
import { Failure } from '../../../failure.ts';
import { fromUtf8 } from '../../../format/bytes.ts';
import { Slug } from '../../../kernel/values.ts';
import { agree } from '../ask.ts';
import type { Context } from '../command.ts';
import { exitOf, itemLine } from '../init/results.ts';
import type { Values } from '../values.ts';

export async function run(ctx: Context, _args: Values, options: Values): Promise<number> {
  const script = process.argv[1] ?? '';
  const { keeper, program } = await keeperOf(script);
  const wanted: RunnerWanted = {
    place: placeOf(matching(options, 'user', /^[a-z][a-z0-9-]{0,20}$/)),
    jobsUser: matching(options, 'jobsUser', /^[a-z_][a-z0-9_.-]{0,31}$/i),
    forge: matching(options, 'forge', /^https?:\/\/[A-Za-z0-9.[\]:_-]+(?:\/[A-Za-z0-9._-]+)*\/?$/).replace(/\/$/, ''),
    repository: matching(options, 'repo', /^[A-Za-z0-9_.-]{1,100}\/[A-Za-z0-9_.-]{1,100}$/),
    genesis: matching(options, 'genesis', /^sha256:[0-9a-f]{64}$/),
    name: matching(options, 'name', Slug),
    program,
    unit: fromUtf8(await compose(ctx).template('runner/supervisor.service')),
  };
  const isDryRun = options.flag('dryRun');
  if (!isDryRun && !keeper.isRoot)
    throw new Failure(
      'setup_needs_root',
      {},
      { next: ['sudo', 'lazarus', ...process.argv.slice(2)].map(word).join(' ') },
    );
  const planned = await setUpRunner(keeper, wanted, { isDryRun: true });
  if (!isDryRun) await agree(ctx, planned.items.map(itemLine), 'Set this machine up so?');
  const { items, publicKey } = isDryRun
    ? planned
    : await setUpRunner(keeper, wanted, { isDryRun, onResult: (result) => ctx.out.note(itemLine(result)) });
  const next = items.flatMap((one) => (one.next === undefined ? [] : [one.next]));
  const left = isDryRun ? [] : [...next, ...linesLeft(wanted, publicKey, keeper.hasSystemd)];
  ctx.out.emit(
    isDryRun
      ? [...items.map(itemLine), 'Nothing was changed. The same command without --dry-run does it.']
      : ['Left to do:', ...left.map((line) => `  ${line}`)],
    { dry_run: isDryRun, items, public_key: publicKey ?? null, socket: wanted.place.socket, next: left },
  );
  return exitOf(items);
}

/** In the order in which they are typed. */
function linesLeft(
  { place, name, program, forge }: RunnerWanted,
  publicKey: string | undefined,
  hasSystemd: boolean,
): string[] {
  const { user, group, home, config, socket } = place;
  const keep = `setpriv --reuid ${user} --regid ${user} --init-groups env HOME=${home}`;
  const start = `${word(program.node)} ${word(program.script)} supervise --config ${config} --socket ${socket}`;
  return [
    ...(publicKey === undefined
      ? []
      : [
          `a root of the project, in a clone: lazarus roster add ${publicKey} --type runner --roles runner --remote origin`,
        ]),
    `whoever may: LAZARUS_TOKEN=… sudo --preserve-env=LAZARUS_TOKEN -H -u ${user} lazarus keys register ${name} --forge ${word(forge)}`,
    `restart the forge’s runner: its user is in ${group} from then on`,
    ...(hasSystemd ? [] : [`systemd is not at work here: cd / && sudo ${keep} ${start}`]),
  ];
}

type Tester = { safeParse(text: string): { readonly success: boolean } };

function matching(options: Values, name: string, form: RegExp | Tester): string {
  const text = options.need(name);
  const isGood = form instanceof RegExp ? form.test(text) : form.safeParse(text).success;
  if (!isGood) throw new Failure('usage', { option: name, found: text });
  return text;
}
