// Imported before any schema is made: zod writes and compiles a program for each schema it uses, which pays after some
// thousand values. A job that lives for less than a second checks a few dozen.
import { config } from 'zod';

config({ jitless: true });
