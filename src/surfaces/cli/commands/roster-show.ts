// `lazarus roster show` and `lazarus roster history`: who counts now, and how that came to be.
import { knownProject } from '../../../app/project-fold.ts';
import { projectElectorate } from '../../../app/threshold/judge.ts';
import { rootRisk } from '../../../app/threshold/electorate.ts';
import { isBarred } from '../../../kernel/roster/barred.ts';
import type { Event } from '../../../kernel/event.ts';
import type { Roster } from '../../../kernel/roster/roster.ts';
import type { Context } from '../command.ts';
import { aligned, type Line } from '../output.ts';
import { encryptionWords, keyWords, matterLines, memberRow, riskLine } from '../roster-text.ts';
import type { Values } from '../values.ts';
import { withWorkbench } from '../workspace.ts';

export const show = {
  async run(ctx: Context, _args: Values, options: Values): Promise<void> {
    await withWorkbench(ctx, options, async ({ bench }) => {
      const project = await knownProject(bench);
      const { roster, cut_offs } = project.tip.state!;
      const barred = isBarred({ cut_offs });
      const risk = rootRisk(projectElectorate(project));
      const rows = aligned(roster.members.map(memberRow));
      const lines: Line[] = [`roster ${roster.n}, threshold ${roster.threshold}, at project size ${project.tip.size}`];
      for (const [i, { keys, encrypt_to }] of roster.members.entries()) {
        lines.push(rows[i]!, ...keys.map((key) => `    ${keyWords(key, barred(key.fingerprint))}`));
        if (encrypt_to !== undefined) lines.push(`    ${encryptionWords(encrypt_to)}`);
      }
      ctx.out.emit([...lines, riskLine(risk)], {
        roster,
        size: project.tip.size,
        cut_off: cut_offs.map(({ fingerprint }) => fingerprint),
        root_persons: risk.persons,
        losable: risk.losable,
      });
    });
  },
};

type RosterChange = {
  readonly index: number;
  readonly at: string;
  readonly by: string;
  readonly lines: readonly Line[];
};

export const history = {
  async run(ctx: Context, _args: Values, options: Values): Promise<void> {
    await withWorkbench(ctx, options, async ({ bench }) => {
      const steps: RosterChange[] = [];
      let before: Roster | undefined;
      await bench.project({
        onCommit: ({ claims, events, signer }) => {
          for (const [i, event] of events.entries()) {
            const lines = linesOf(event, before);
            if (event.event_type === 'project.opened' || event.event_type === 'roster.updated')
              before = event.payload.roster;
            if (lines === undefined) continue;
            const { principal_id } = signer.member;
            steps.push({ index: claims.prevSize + i, at: event.occurred_at, by: principal_id, lines });
          }
        },
      });
      ctx.out.emit(
        steps.flatMap(({ index, at, by, lines }) => [`${index}  ${at}  appended by ${by}`, ...lines.map(indented)]),
        { steps: steps.map(({ index, at, by, lines }) => ({ index, at, by, lines: lines.map(textOf) })) },
      );
    });
  },
};

function linesOf(event: Event, before: Roster | undefined): readonly Line[] | undefined {
  if (event.event_type === 'project.opened')
    return [`roster 0: ${event.payload.roster.members.map((member) => member.principal_id).join(', ')}`];
  if (before === undefined) return undefined;
  if (event.event_type === 'roster.updated')
    return matterLines({ purpose: 'roster', document: event.payload.roster }, before);
  if (event.event_type === 'key.cut_off')
    return matterLines({ purpose: 'cut-off', document: event.payload.cut_off }, before);
  return undefined;
}

function indented(line: Line): Line {
  return `   ${textOf(line)}`;
}

function textOf(line: Line): string {
  const spans = Array.isArray(line) ? line : [line];
  return spans.map((span: string | { text: string }) => (typeof span === 'string' ? span : span.text)).join('');
}
