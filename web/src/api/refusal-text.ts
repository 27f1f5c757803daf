import type { ErrorBody } from '@meetmark/contracts';

export async function loadRefusalText({ code, details }: ErrorBody): Promise<Partial<ErrorBody>> {
  try {
    const { refusalOfFields, refusals } = await import('./field-faults');
    if (code === 'VALIDATION_FAILED' && details?.fields) return refusalOfFields(details);
    const message = refusals[code];
    return message === undefined ? {} : { message };
  } catch {
    return {};
  }
}
