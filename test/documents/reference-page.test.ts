// The page that describes these files speaks of every key, class and scope there is.
import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { missionSchemaText } from '../../src/documents/mission-file.ts';
import { ActionClass } from '../../src/kernel/course/classes.ts';
import { PolicyProfile } from '../../src/kernel/policy/profile.ts';
import { Allowance, SHIPPED_SACRED } from '../../src/kernel/scope/sacred.ts';

const PAGE = readFileSync(new URL('../../docs/mission-files.md', import.meta.url), 'utf8');

const SCHEMA = JSON.parse(missionSchemaText()) as { properties: { brief: { properties: object } } };

describe('docs/mission-files.md', () => {
  it.each([
    ['keys of a mission file', Object.keys(SCHEMA.properties)],
    ['sections of its brief', Object.keys(SCHEMA.properties.brief.properties)],
    ['keys of a policy', Object.keys(PolicyProfile.shape)],
    ['action classes', ActionClass.options],
    ['allowances', Allowance.options],
    ['shipped sacred scopes', SHIPPED_SACRED.map(({ name }) => name)],
  ])('names all %s', (_, words) => {
    expect(words.filter((word) => !PAGE.includes(`\`${word}\``))).toEqual([]);
  });

  it('says of each shipped sacred scope what opens it', () => {
    for (const { name, rule } of SHIPPED_SACRED) {
      const row = PAGE.split('\n').find((line) => line.startsWith(`| \`${name}\` |`));
      const opened = row?.split('|').at(-2)?.trim() ?? '';
      if (rule === 'never') expect([name, opened]).toEqual([name, 'nothing']);
      else if (rule === 'append_only') expect(opened).toContain('additions only');
      else if (rule === 'named') expect(opened).toContain('its name');
      else expect(opened).toContain(`\`${rule}\``);
    }
  });
});
