// A secret of the host's that got into a cell all the same does not get out: not in output, not through the port, not
// in the claim, not in an error.
import { expect, test } from 'vitest';
import { project, runIn, spawnIn, testCells } from '../../support/cells.ts';

const SECRET = 'glpat-THIS/is+SECRET';

test('printed plainly, encoded, in pieces, said, claimed', async () => {
  const encoded = new TextEncoder().encode(SECRET);
  const { cell, out, err, exit } = await runIn(
    await testCells(),
    `s=$(cat /cell/.lazarus/leaked); echo "$s"; echo "$s" | base64; printf %s "$s" | cut -c1-8 | tr -d '\\n'; sleep 0.2; printf %s "$s" | cut -c9-
     echo "$s" >&2; printf '{"kind":"done","body":{"text":"%s"}}\\n' "$s" >&3
     printf '{"said":"%s"}' "$s" | sh /cell/.lazarus/port blocked; printf '{"claim":"%s"}' "$s" > $HOME/done.json`,
    { brief: { leaked: encoded }, canaries: [SECRET] },
  );
  const events = [];
  for await (const event of cell.events) events.push(event);
  expect(events).toHaveLength(2);
  const everything = JSON.stringify([out, err, events, await cell.claim(), exit]);
  expect(everything).not.toContain('SECRET"');
  expect(everything.replaceAll('***REDACTED***', '')).not.toMatch(/THIS|SECRET/);
  expect(exit.usage.redactions).toBe(4);
  expect(out.split('\n')[0]).toBe('***REDACTED***');
  await cell.close();
});

test('the output of a check, and a base that is not there', async () => {
  const cells = await testCells();
  const base = project({ 'a.txt': SECRET });
  const check = { project: base, shellText: 'cat a.txt; cat a.txt >&2; exit 1', requiredLevel: 2 as const };
  expect(await cells.runCheck({ ...check, canaries: [SECRET] })).toMatchObject({
    exitCode: 1,
    output: '***REDACTED******REDACTED***',
  });
  const absent = { repository: base.repository, commit: '1'.repeat(40) };
  await expect(spawnIn(cells, { project: absent })).rejects.toMatchObject({ code: 'object_missing' });
});
