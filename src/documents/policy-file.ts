// .gitea/lazarus/policy.yml as a profile. Cannot be read means nothing is allowed.
import { PolicyProfile } from '../kernel/policy/profile.ts';
import { refuse, type Verdict } from '../kernel/verdict.ts';
import { readYaml } from './yaml.ts';

/** `undefined`: there is no such file. */
export function readPolicyFile(text: string | undefined, file: string): Verdict<PolicyProfile> {
  if (text === undefined) return refuse('policy_unreadable', { file, why: 'is not there' });
  const profile = readYaml(text, PolicyProfile, { code: 'policy_unreadable', file });
  if (profile.is === 'refused') return profile;
  const names = profile.value.rules.map(({ name }) => name);
  const twice = names.find((name, i) => names.indexOf(name) !== i);
  return twice === undefined
    ? profile
    : refuse('policy_unreadable', { file, why: 'two rules have one name', rule: twice });
}
