import { CORE_SCHEMA, load, YAML11_SCHEMA } from 'js-yaml';

/** Whether a text may stand without quotes: readers of YAML 1.1 and 1.2 then both read this very text. */
export function isPlainText(text: string, inFlow: boolean): boolean {
  if (otherWords.test(text)) return false;
  const written = inFlow ? `[ ${text} ]` : `- ${text}`;
  return [CORE_SCHEMA, YAML11_SCHEMA].every((schema) => {
    try {
      const read = load(written, { schema });
      return Array.isArray(read) && read.length === 1 && read[0] === text;
    } catch {
      return false;
    }
  });
}

/** Some readers take these for true and false, or for marks of merging and of defaults, others for texts. */
const otherWords = /^(y|n|yes|no|on|off|<<|=)$/i;
