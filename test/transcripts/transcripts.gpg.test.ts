// The pages whose commands use gpg.
import { describe, it } from 'vitest';
import { transcriptPages } from '../support/pages.ts';
import { runTranscript } from '../support/transcript.ts';

const pages = transcriptPages()
  .filter(({ needsGpg }) => needsGpg)
  .map(({ page }) => page);

describe('what the documentation shows is what happens', () => {
  it.each(pages)('%s', (page) => runTranscript(page));
});
