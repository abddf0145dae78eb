// In which language do headings, marks and built-in skills stand in a prompt? The writer's own words stay as they are.
import * as z from 'zod';

const languages = z.enum(['zh', 'en']);

export type PromptLanguage = z.infer<typeof languages>;

export const promptLanguage = languages
  .default('zh')
  .describe('of headings, marks and built-in skills; skills of your own stay as they are');
