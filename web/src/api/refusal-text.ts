import type { ErrorBody } from '@meetmark/contracts';

/** What a refusal says in the page's language; nothing where the API's own words are right, or the others are out of reach. */
export async function refusalOf({ code, details }: ErrorBody): Promise<Partial<ErrorBody>> {
  try {
    if (code === 'VALIDATION_FAILED' && details?.fields)
      return (await import('./field-faults')).refusalOfFields(details);
    const message = (await import('../strings/refusals')).refusals[code];
    return message === undefined ? {} : { message };
  } catch {
    return {};
  }
}
