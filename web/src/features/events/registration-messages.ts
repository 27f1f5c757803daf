import { serverMessage } from '../../api/client';
import { registrationText } from '../../strings/events';

/** The member's sentence for a registration that failed (section 8 of the specification). */
export function registrationFailure(error: unknown): string {
  const message = serverMessage(error);
  if (message === null) return registrationText.failed;
  return registrationText.failures.find(([part]) => message.includes(part))?.[1] ?? message;
}

/** The member's sentence for a registration that the server accepted, or had already. */
export const registrationSuccess = (message: string) =>
  message.includes(registrationText.alreadyPart) ? registrationText.already : registrationText.succeeded;
