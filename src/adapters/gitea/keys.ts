// Registering an OpenPGP public key with the account of our token. The key's user id carries no e-mail address of that
// account, so the forge wants to see a challenge signed instead.
import { z } from 'zod';
import { Failure } from '../../failure.ts';
import { utf8 } from '../../format/bytes.ts';
import type { PublicKeyRequest } from '../../ports/forge.ts';
import type { Ask } from './ask.ts';
import type { Pages } from './pages.ts';

const keySchema = z.object({ key_id: z.string(), verified: z.boolean() });
const challengeSchema = z.string().regex(/^[0-9a-f]{40,128}$/);

const KEY_ID_HEX = 16;

export async function hasKey(pages: Pages, fingerprint: string): Promise<boolean> {
  const keyId = fingerprint.slice(-KEY_ID_HEX).toUpperCase();
  const mine = await pages((rest) => rest.users.listGpgKeysForAuthenticatedUser, {}, keySchema);
  return mine.some((one) => one.key_id === keyId && one.verified);
}

export async function registerKey(ask: Ask, pages: Pages, key: PublicKeyRequest): Promise<'registered' | 'present'> {
  if (await hasKey(pages, key.fingerprint)) return 'present';
  const challenge = await ask('GET /user/gpg_key_token', {}, challengeSchema);
  const request = { armored_public_key: key.armored, armored_signature: await key.sign(utf8(challenge)) };
  const registered = await ask((rest) => rest.users.createGpgKeyForAuthenticatedUser, request, keySchema).catch(
    (error: unknown) => {
      if (error instanceof Failure && ['forge_refused', 'forge_not_found', 'forge_exists'].includes(error.code)) {
        throw new Failure('forge_key_refused', { key: key.fingerprint, ...error.facts });
      }
      throw error;
    },
  );
  if (!registered.verified) throw new Failure('forge_key_refused', { key: key.fingerprint, why: 'not verified' });
  return 'registered';
}
