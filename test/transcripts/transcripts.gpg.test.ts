// The pages whose commands use gpg.
import { describe, it } from 'vitest';
import { transcriptPages } from '../support/pages.ts';
import { runTranscript } from '../support/transcript.ts';

describe('what the documentation shows is what happens', () => {
  it.each(transcriptPages('gpg'))('%s', (page) => runTranscript(page));
});
