// `lazarus cache list|verify|clear`: what was prepared for cells on this machine. Needs no repository, and touches nothing
// that a cell has mounted.
import { compose } from '../../../compose/app.ts';
import { Failure } from '../../../failure.ts';
import type { Clearing, KeptEntry } from '../../../ports/environments.ts';
import { REASONS } from '../../../reasons.ts';
import type { CommandModule } from '../command.ts';
import { aligned, type Line } from '../output.ts';
import type { Values } from '../values.ts';

const DAY_SECONDS = 24 * 60 * 60;
/** `sha256:` and twelve digits: enough to type back. */
const SHOWN_CHARACTERS = 19;

export const list: CommandModule = {
  async run(ctx) {
    const app = compose(ctx);
    const entries = await (await app.environmentCache()).list();
    const now = app.clock.nowSeconds();
    const bytes = entries.reduce((sum, entry) => sum + entry.bytes, 0);
    const human =
      entries.length === 0
        ? ['nothing is prepared on this machine']
        : [...aligned(entries.map((entry) => row(entry, now))), `${entries.length} in all, ${megabytes(bytes)}`];
    ctx.out.emit(human, { environments: entries.map(entryJson), bytes });
  },
};

export const verify: CommandModule = {
  async run(ctx, args) {
    const verified = await (await compose(ctx).environmentCache()).verify(args.text('key'));
    if (verified.length === 0 && args.text('key') !== undefined)
      throw new Failure('environment_missing', { key: args.need('key') });
    const wrong = verified.filter(({ verdict }) => verdict !== 'as_prepared');
    const lines = wrong.flatMap(({ key, verdict }): Line[] => [
      [{ text: `${verdict}:`, style: 'red' }, ` ${key.slice(0, SHOWN_CHARACTERS)}`],
      `  next: lazarus cache clear ${key.slice(0, SHOWN_CHARACTERS)}`,
    ]);
    const well = verified.length - wrong.length;
    ctx.out.emit([...lines, `${well} of ${verified.length} as they were prepared`], { environments: verified });
    return wrong.length === 0 ? 0 : REASONS.environment_altered.exit;
  },
};

export const clear: CommandModule = {
  async run(ctx, args, options) {
    const { removed, mounted } = await (await compose(ctx).environmentCache()).clear(whichOf(args, options));
    ctx.out.emit(
      [
        ...removed.map((key) => `removed  ${key.slice(0, SHOWN_CHARACTERS)}`),
        ...mounted.map((key) => `kept     ${key.slice(0, SHOWN_CHARACTERS)}: a cell has it mounted`),
        ...(removed.length + mounted.length === 0 ? ['nothing to remove'] : []),
      ],
      { removed, mounted },
    );
  },
};

/** Exactly one of three, so that nobody clears more than they meant. */
function whichOf(args: Values, options: Values): Clearing {
  const key = args.text('key');
  const days = options.whole('olderThan');
  const said = [key !== undefined, days !== undefined, options.flag('all')].filter(Boolean);
  if (said.length !== 1) throw new Failure('usage', { expected: 'a key, --older-than <days> or --all' });
  if (key !== undefined) return { key };
  return days === undefined ? 'all' : { olderThanSeconds: days * DAY_SECONDS };
}

function row(
  { key, environment, bytes, madeAtSeconds, usedAtSeconds, origin, isMounted }: KeptEntry,
  now: number,
): string[] {
  return [
    key.slice(0, SHOWN_CHARACTERS),
    environment,
    megabytes(bytes),
    `made ${age(now - madeAtSeconds)} ago`,
    `used ${age(now - usedAtSeconds)} ago`,
    origin === 'base' ? 'of the base' : `of attempt ${origin}`,
    isMounted ? 'mounted' : '',
  ];
}

function entryJson({ key, environment, origin, files, bytes, madeAtSeconds, usedAtSeconds, isMounted }: KeptEntry) {
  return {
    key,
    environment,
    origin,
    files,
    bytes,
    made_at_seconds: madeAtSeconds,
    used_at_seconds: usedAtSeconds,
    mounted: isMounted,
  };
}

function megabytes(bytes: number): string {
  return `${(bytes / 1e6).toFixed(1)} MB`;
}

function age(seconds: number): string {
  const units = [
    [DAY_SECONDS, 'd'],
    [60 * 60, 'h'],
    [60, 'min'],
  ] as const;
  const unit = units.find(([length]) => seconds >= length);
  return unit === undefined ? `${Math.max(0, seconds)} s` : `${Math.floor(seconds / unit[0])} ${unit[1]}`;
}
