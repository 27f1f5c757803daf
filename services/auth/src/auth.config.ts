import { LIMITS, normalisePassword, rewritten } from '@meetmark/contracts';
import { SecretsVariable, ServiceConfig, UrlVariable } from '@meetmark/platform';
import { IsEmail, IsOptional, Length, MaxLength, ValidateIf } from 'class-validator';

export class AuthConfig extends ServiceConfig {
  /** If other machines can reach this URL, production requires strong secrets. */
  @IsOptional()
  @UrlVariable('http', 'https')
  publicUrl?: string;

  /** Secrets for hashing stored codes and for encrypting the codes that the worker sends. */
  @SecretsVariable()
  resetCodeSecrets!: string[];

  /** Secrets for encrypting authenticator secrets. A secret must stay listed while stored values use it. */
  @SecretsVariable()
  secondFactorSecrets!: string[];

  /**
   * Email address of the first administrator. Startup creates this account unless there is an administrator.
   * Requires ADMIN_PASSWORD.
   */
  @ValidateIf(givesAdministrator)
  @MaxLength(LIMITS.email, { message: `must have at most ${LIMITS.email} characters` })
  @IsEmail(
    { allow_utf8_local_part: false },
    { message: 'must be an email address. Set ADMIN_EMAIL and ADMIN_PASSWORD, or neither' },
  )
  adminEmail?: string;

  @ValidateIf(givesAdministrator)
  @rewritten(normalisePassword, LIMITS.password)
  @Length(LIMITS.passwordMin, LIMITS.password, {
    message: `must have ${LIMITS.passwordMin} to ${LIMITS.password} characters. Set ADMIN_EMAIL and ADMIN_PASSWORD, or neither`,
  })
  adminPassword?: string;
}

function givesAdministrator({ adminEmail, adminPassword }: AuthConfig): boolean {
  return adminEmail !== undefined || adminPassword !== undefined;
}
