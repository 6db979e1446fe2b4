// `lazarus roster add|remove|set|rotate|threshold`: the next roster, signed by whoever types it.
import { knownProject } from '../../../app/project-fold.ts';
import { projectElectorate } from '../../../app/threshold/judge.ts';
import { isInlineKey, publicKeysFrom } from '../../../app/threshold/key-text.ts';
import {
  addMember,
  both,
  encryptTo,
  layerFor,
  nextRoster,
  removeMember,
  rotateKey,
  setMember,
  setThreshold,
  withoutEncryption,
  type RosterChange,
  type MemberFacts,
} from '../../../app/threshold/roster-change.ts';
import { principalOf } from '../../../app/begin.ts';
import { compose } from '../../../compose/app.ts';
import { Failure } from '../../../failure.ts';
import type { PublicKeys } from '../../../format/openpgp/public-key.ts';
import { PROJECT_REF } from '../../../ledger/names.ts';
import type { Context } from '../command.ts';
import { readNamed } from '../files.ts';
import { propose } from '../propose.ts';
import { whereTheyLive } from '../mission/home.ts';
import type { Values } from '../values.ts';
import { unwrap, type Workspace } from '../workspace.ts';
import { Member } from '../../../kernel/roster/roster.ts';

type Typed = {
  readonly ctx: Context;
  readonly workspace: Workspace;
  readonly args: Values;
  readonly options: Values;
  /** Of the project ledger: where new keys begin to count. */
  readonly size: number;
};
type Wanted = { readonly change: RosterChange; readonly question?: string };

export const add = changeBy(async (typed) => {
  const { options, size } = typed;
  const { key, encryption } = await keysOf(typed, typed.args.need('key'));
  const principal = unwrap(principalOf(key.userId));
  const expected = options.text('principal') ?? principal;
  if (expected !== principal) throw new Failure('roster_key_user_id', { principal: expected, user_id: key.userId });
  const { roles, principal_type = 'user', ...facts } = memberFacts(await withAccount(typed.ctx, options));
  if (roles === undefined) throw new Failure('usage', { missing: 'roles' });
  // A machine is nobody's vote; a user is the person of the same name unless told otherwise.
  const person_id = principal_type === 'user' ? principal : null;
  const member = {
    forge_user_id: null,
    layer: layerFor(principal_type, roles),
    person_id,
    ...facts,
    principal_type,
    roles,
    ...(encryption && { encrypt_to: encryptTo(encryption) }),
  };
  return { change: addMember(key, options.whole('from') ?? size, member) };
});

export const remove = changeBy(async ({ args }) => {
  const principal = args.need('principal');
  return { change: removeMember(principal), question: `Remove ${principal} from the roster?` };
});

export const set = changeBy(async (typed) => {
  const { ctx, args, options } = typed;
  const principal = args.need('principal');
  const change = setMember(principal, memberFacts(await withAccount(ctx, options)));
  const wanted = options.text('encryptTo');
  if (wanted === undefined) return { change };
  if (wanted === 'none') return { change: both(change, withoutEncryption(principal)) };
  const { encryption } = await keysOf(typed, wanted);
  if (encryption === undefined)
    throw new Failure('usage', { encrypt_to: wanted, expected: 'a public key with an encryption key behind it' });
  return { change: both(change, setMember(principal, { encrypt_to: encryptTo(encryption) })) };
});

export const rotate = changeBy(async (typed) => {
  const { options, size } = typed;
  const { key, encryption } = await keysOf(typed, typed.args.need('key'));
  return { change: rotateKey(key, options.whole('from') ?? size, options.whole('overlap') ?? 0, encryption) };
});

export const threshold = changeBy(async ({ args }) => {
  const persons = args.whole('persons', 1) ?? 1;
  return { change: setThreshold(persons), question: `Need ${persons} to sign from now on?` };
});

function changeBy(choose: (typed: Typed) => Promise<Wanted>) {
  async function run(ctx: Context, args: Values, options: Values): Promise<void> {
    await whereTheyLive(ctx, options, async (workspace) => {
      const project = await knownProject(workspace.bench);
      const electorate = projectElectorate(project);
      const { change, ...asked } = await choose({ ctx, workspace, args, options, size: project.tip.size });
      const document = unwrap(nextRoster(workspace.bench.parts.crypto, electorate, change));
      const judged = { electorate, ref: PROJECT_REF, project };
      await propose(ctx, workspace, options, { matter: { purpose: 'roster', document }, judged, ...asked });
    });
  }
  return { run };
}

/** A login is looked up now and never kept: it can be renamed and taken over, the number cannot. */
async function withAccount(ctx: Context, options: Values): Promise<Values> {
  const login = options.text('forgeUser');
  if (login === undefined) return options;
  const url = options.text('forge');
  if (url === undefined) throw new Failure('usage', { missing: 'forge' });
  const { forge } = await compose(ctx).forge(url);
  const user = await forge.user(login);
  if (user === undefined) throw new Failure('forge_not_found', { user: login });
  return options.with('forgeUserId', String(user.id));
}

async function keysOf({ ctx, workspace }: Typed, word: string): Promise<PublicKeys> {
  const text = isInlineKey(word) ? word : await readNamed(ctx, word);
  return unwrap(publicKeysFrom(workspace.bench.parts.crypto, text));
}

// The options that say what a member of the roster is and may do. Checked by the kernel's own schema.
const Facts = Member.omit({ encrypt_to: true, keys: true, principal_id: true }).partial();

/** Only what was typed; `none` empties what may be empty. */
export function memberFacts(options: Values): Partial<MemberFacts> {
  const typed = {
    forge_user_id: orNone(options.text('forgeUserId'), () => options.whole('forgeUserId')),
    layer: options.text('layer'),
    person_id: orNone(options.text('person'), () => options.text('person')),
    principal_type: options.text('type'),
    roles: options.text('roles')?.split(','),
  };
  const given = Object.fromEntries(Object.entries(typed).filter(([, value]) => value !== undefined));
  const parsed = Facts.safeParse(given);
  if (parsed.success) return parsed.data as Partial<MemberFacts>;
  const issue = parsed.error.issues[0];
  throw new Failure('usage', { option: issue?.path.join('.') ?? '', problem: issue?.message ?? '' });
}

function orNone<T>(text: string | undefined, value: () => T): T | null | undefined {
  if (text === undefined) return undefined;
  return text === 'none' ? null : value();
}
