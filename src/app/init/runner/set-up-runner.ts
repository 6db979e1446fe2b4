// What a runner's machine needs so that its missions are run by another user than its jobs: a user, a group, folders, the
// list of projects, a key and a service, in this order. Changes nothing that somebody wrote, and nothing twice.
import { insertEntry } from '../../../documents/insert-entry.ts';
import { readSupervisorFile } from '../../../documents/supervisor-file.ts';
import { Failure } from '../../../failure.ts';
import type { Verdict } from '../../../kernel/verdict.ts';
import type { Account, Keeper } from '../../../ports/keeper.ts';
import { setUp, type Course, type Found, type Item, type ItemResult } from '../items.ts';
import type { Place } from './place.ts';
import { unitText, type Program } from './unit.ts';

export type RunnerWanted = {
  readonly place: Place;
  /** As whom the forge's runner runs, and every job with it. */
  readonly jobsUser: string;
  readonly forge: string;
  readonly repository: string;
  readonly genesis: string;
  /** The machine's name in ledgers. */
  readonly name: string;
  readonly program: Program;
  /** As it ships, with places for what differs. */
  readonly unit: string;
};

export type RunnerSetUp = {
  readonly items: readonly ItemResult[];
  /** Of the machine's key, for the roster; undefined in a dry run. */
  readonly publicKey: string | undefined;
};

export async function setUpRunner(keeper: Keeper, wanted: RunnerWanted, course: Course): Promise<RunnerSetUp> {
  await refuseHopeless(keeper, wanted);
  let publicKey: string | undefined;
  const written: string[] = [];
  const noted: Keeper = {
    ...keeper,
    writeText: async (path, text) => {
      await keeper.writeText(path, text);
      written.push(path);
    },
  };
  const items = await setUp(
    [
      groupItem(keeper, wanted.place),
      userItem(keeper, wanted.place),
      memberItem(keeper, wanted),
      folderItem(keeper, wanted.place, 'home', { path: wanted.place.home, mode: 0o700 }),
      // systemd makes this one anew at each start.
      ...(keeper.hasSystemd
        ? []
        : [folderItem(keeper, wanted.place, 'run', { path: wanted.place.folder, mode: 0o755 })]),
      listItem(noted, wanted),
      keyItem(keeper, wanted, (found) => (publicKey = found)),
      ...(keeper.hasSystemd
        ? [unitItem(noted, wanted), serviceItem(keeper, wanted.place, () => written.length > 0)]
        : []),
    ],
    course,
  );
  return { items, publicKey };
}

/** What would make a boundary of it that is none. */
async function refuseHopeless(keeper: Keeper, { jobsUser, place, program }: RunnerWanted): Promise<void> {
  const jobs = await keeper.account(jobsUser);
  if (jobs === undefined) throw new Failure('usage', { option: 'jobs-user', expected: 'a user', found: jobsUser });
  if (jobs.uid === 0 || jobsUser === place.user)
    throw new Failure('supervisor_unfit', { because: `jobs run as ${jobsUser}: give the runner a user of its own` });
  for (const path of [program.node, program.script]) {
    const open = await keeper.othersCanChange(path);
    if (open !== undefined)
      throw new Failure(
        'supervisor_unfit',
        { path: open, because: 'not root’s alone: whoever can change it would be the supervisor' },
        { next: 'install lazarus as root: sudo npm install --global <package>' },
      );
  }
}

function groupItem(keeper: Keeper, { group }: Place): Item {
  return {
    name: 'group',
    title: 'group of those who may ask',
    async look() {
      const found = await keeper.group(group);
      return found === undefined ? absent(group) : there(`${group} (${found.gid})`);
    },
    async act() {
      await keeper.run(['groupadd', '--system', '--', group]);
      return group;
    },
  };
}

function userItem(keeper: Keeper, { user, group, home }: Place): Item {
  return {
    name: 'user',
    title: 'user that owns keys and runs missions',
    async look() {
      const found = await keeper.account(user);
      if (found === undefined) return absent(`${user}, who cannot log in`);
      if (found.uid === 0 || found.home !== home) return differs(`${user} is there with the home ${found.home}`);
      const members = (await keeper.group(group))?.members ?? [];
      return members.includes(user) ? there(`${user} (${found.uid})`) : absent(`${user}, in ${group}`);
    },
    async act() {
      const more = ['--home-dir', home, '--no-create-home', '--shell', '/usr/sbin/nologin'];
      if ((await keeper.account(user)) === undefined)
        await keeper.run(['useradd', '--system', '--user-group', ...more, '--groups', group, '--', user]);
      else await keeper.run(['usermod', '--append', '--groups', group, '--', user]);
      return `${user}, in ${group}`;
    },
  };
}

function memberItem(keeper: Keeper, { jobsUser, place: { group } }: RunnerWanted): Item {
  return {
    name: 'jobs_user',
    title: 'user of the runner',
    async look() {
      const members = (await keeper.group(group))?.members ?? [];
      return members.includes(jobsUser) ? there(`${jobsUser}, in ${group}`) : absent(`${jobsUser}, in ${group}`);
    },
    async act() {
      await keeper.run(['usermod', '--append', '--groups', group, '--', jobsUser]);
      return `${jobsUser}, in ${group}: from the next start of the runner on`;
    },
  };
}

function folderItem(keeper: Keeper, { user }: Place, name: string, wish: { path: string; mode: number }): Item {
  const { path, mode } = wish;
  return {
    name: `folder_${name}`,
    title: 'folder',
    async look() {
      const [found, owner] = await Promise.all([keeper.folder(path), keeper.account(user)]);
      if (found === undefined) return absent(`${path}, ${user}'s alone`);
      return found.uid === owner?.uid && (found.mode & 0o077) === (mode & 0o077)
        ? there(path)
        : differs(`${path} has mode ${found.mode.toString(8)} and owner ${found.uid}`, `chmod ${mode.toString(8)}`);
    },
    async act() {
      await keeper.makeFolder(path, await ownerOf(keeper, user), mode);
      return path;
    },
  };
}

async function ownerOf(keeper: Keeper, user: string): Promise<Account> {
  const found = await keeper.account(user);
  if (found === undefined) throw new Failure('setup_step_failed', { program: 'useradd', because: 'no such user now' });
  return found;
}

function listItem(keeper: Keeper, wanted: RunnerWanted): Item {
  const { forge, repository, genesis, place } = wanted;
  const what = `${forge}/${repository}`;
  return {
    name: 'projects',
    title: place.config,
    async look() {
      const text = await keeper.text(place.config);
      if (text === undefined) return absent(what);
      const { projects } = taken(readSupervisorFile(text, place.config));
      const known = projects.find((one) => one.forge === forge && one.repository === repository);
      if (known === undefined) return absent(what);
      return known.genesis === genesis ? there(what) : differs(`${what} has the genesis ${known.genesis}`);
    },
    async act() {
      const entry = `- forge: ${forge}\n  repository: ${repository}\n  genesis: ${genesis}\n`;
      const text = await keeper.text(place.config);
      const gid = (await keeper.group(place.group))?.gid;
      const whole =
        text === undefined
          ? `${HEAD}# ${place.group}\njobs_group: ${gid ?? ''}\nat_once: 4\nprojects:\n${indented(entry)}`
          : taken(insertEntry(text, { under: 'projects', text: entry }, place.config));
      taken(readSupervisorFile(whole, place.config));
      await keeper.writeText(place.config, whole);
      return what;
    },
  };
}

const HEAD = '# For which projects this machine runs missions, and who may ask: read when the supervisor starts.\n';

function indented(text: string): string {
  return text.replaceAll(/^(?=.)/gm, '  ');
}

/** Made on this machine by the supervisor's user; only its public half is seen here. */
function keyItem(keeper: Keeper, { name, place }: RunnerWanted, onKey: (publicKey: string) => void): Item {
  return {
    name: 'key',
    title: `key of ${name}`,
    would: `kept in ${place.home}; a new one, unless it is there`,
    async ensure() {
      const owner = await ownerOf(keeper, place.user);
      const listed = JSON.parse(await keeper.runOwn(owner, ['keys', 'list', '--json'])) as Listed;
      const isThere = listed.keys.some(({ principal }) => principal === name);
      if (!isThere) await keeper.runOwn(owner, ['keys', 'runner', '--json', '--', name]);
      const shown = JSON.parse(await keeper.runOwn(owner, ['keys', 'show', '--json', '--', name])) as Shown;
      onKey(shown.public_key);
      return { is: isThere ? 'already there' : 'done', says: shown.fingerprint };
    },
  };
}

type Listed = { readonly keys: readonly { readonly principal: string }[] };
type Shown = { readonly fingerprint: string; readonly public_key: string };

function unitItem(keeper: Keeper, { place, program, unit }: RunnerWanted): Item {
  const text = unitText(unit, place, program);
  return {
    name: 'unit',
    title: place.unitFile,
    async look() {
      const found = await keeper.text(place.unitFile);
      if (found === undefined) return absent('the service');
      return found === text
        ? there('as it ships')
        : differs('is another than this version writes', `remove ${place.unitFile}, and type the same command again`);
    },
    async act() {
      await keeper.writeText(place.unitFile, text);
      await keeper.run(['systemctl', 'daemon-reload']);
      return 'the service';
    },
  };
}

/** It reads its list when it starts; what it runs is handed over first. One that has nothing new to read is left at work. */
function serviceItem(keeper: Keeper, { unit }: Place, isNew: () => boolean): Item {
  const says = 'at work, now and from the start of the machine on';
  return {
    name: 'service',
    title: unit,
    would: says,
    async ensure() {
      const isActive = await keeper.run(['systemctl', 'is-active', '--quiet', unit]).then(
        () => true,
        () => false,
      );
      if (isActive && !isNew()) return { is: 'already there', says };
      await keeper.run(['systemctl', 'enable', unit]);
      await keeper.run(['systemctl', 'restart', unit]);
      return { is: 'done', says };
    },
  };
}

function there(says: string): Found {
  return { is: 'there', says };
}

function absent(says: string): Found {
  return { is: 'absent', says };
}

function differs(says: string, next?: string): Found {
  return { is: 'differs', says, ...(next === undefined ? {} : { next }) };
}

function taken<T>(verdict: Verdict<T>): T {
  if (verdict.is === 'refused') throw new Failure(verdict.code, verdict.facts);
  return verdict.value;
}
