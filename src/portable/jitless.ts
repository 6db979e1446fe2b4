// Imported before any schema is made: tells zod to compile nothing, so that the page can forbid eval altogether.
import { config } from 'zod';

config({ jitless: true });
