// The pages whose commands run agents in cells.
import { describe, it } from 'vitest';
import { transcriptPages } from '../support/pages.ts';
import { runTranscript } from '../support/transcript.ts';

describe('what the documentation shows is what happens', () => {
  it.each(transcriptPages('cell'))('%s', (page) => runTranscript(page));
});
