import { Matches } from 'class-validator';
import { defineMessage } from './message.js';
import { IsEmailAddress, IsPassword } from './validation.js';

export class RequestResetCodeRequest {
  @IsEmailAddress()
  email!: string;
}

/** Answers alike whether or not the account exists (D18). */
export const RequestResetCode = defineMessage({
  service: 'auth',
  name: 'resetCodes.request',
  access: 'public',
  request: RequestResetCodeRequest,
})<void>();

/** What a code in the table is sealed under until it is mailed (auth seals it, the worker opens it): it opens for this row only. */
export const resetCodeSeal = (resetTokenId: string) => `reset-code:${resetTokenId}`;

export class ResetPasswordRequest {
  @IsEmailAddress()
  email!: string;

  @Matches(/^\d{6}$/, { message: 'Token must be 6 digits' })
  token!: string;

  /** Its minimum length is judged by the service (PASSWORD_TOO_SHORT). */
  @IsPassword()
  newPassword!: string;
}

/** Uses up a code and ends every session of the account. RESET_CODE_INVALID whatever the reason. */
export const ResetPassword = defineMessage({
  service: 'auth',
  name: 'resetCodes.resetPassword',
  access: 'public',
  request: ResetPasswordRequest,
})<void>();
