import type { ErrorBody } from '@meetmark/contracts';

/** What a refusal says in the page's language; nothing where the API's own words are right, or the others are out of reach. */
export async function refusalOf({ code, details }: ErrorBody): Promise<Partial<ErrorBody>> {
  try {
    const { refusalOfFields, refusals } = await import('./field-faults');
    if (code === 'VALIDATION_FAILED' && details?.fields) return refusalOfFields(details);
    const message = refusals[code];
    return message === undefined ? {} : { message };
  } catch {
    return {};
  }
}
