// What a person does on the pages of a throwaway Gitea, request by request as a browser sends it: sign in, file the form.
import { FIELDS, FORM_PATH } from '../../../src/forge-text/form-fields.ts';
import type { FormInput } from '../form-body.ts';
import type { Gitea } from './server.ts';

/** The cookies of somebody who signed in. */
export async function signIn(
  { url }: Pick<Gitea, 'url'>,
  { name, password }: { readonly name: string; readonly password: string },
): Promise<string> {
  const answer = await fetch(`${url}/user/login`, {
    method: 'POST',
    body: new URLSearchParams({ user_name: name, password }),
    redirect: 'manual',
  });
  // The session cookie is set twice, and the later one counts.
  const cookies = answer.headers.getSetCookie().map((one) => one.split(';')[0]!.split('='));
  return Array.from(
    new Map(cookies.map(([name = '', value = '']) => [name, value])),
    ([name, value]) => `${name}=${value}`,
  ).join('; ');
}

/** Submits the page of the form; answers with the number of the issue. */
export async function fileForm(
  { url }: Pick<Gitea, 'url'>,
  { repository, cookie }: { readonly repository: string; readonly cookie: string },
  input: FormInput,
): Promise<number> {
  const form = new URLSearchParams({ title: 'mission: x', 'template-file': FORM_PATH });
  for (const field of FIELDS) {
    const name = `form-field-${field.id}`;
    if (field.is === 'marker') form.set(name, input.schema ?? field.value);
    else if (field.is === 'boxes')
      field.options.forEach((option, i) => {
        if (input.capabilities.includes(option)) form.set(`${name}-${i}`, 'on');
      });
    else {
      const value = input[field.id as 'goal'];
      form.set(name, field.is === 'choice' ? String(field.options.indexOf(value)) : value);
    }
  }
  const answer = await fetch(`${url}/${repository}/issues/new?template=${encodeURIComponent(FORM_PATH)}`, {
    method: 'POST',
    headers: { cookie },
    body: form,
  });
  const { redirect } = (await answer.json()) as { redirect: string };
  return Number(redirect.split('/').at(-1));
}
