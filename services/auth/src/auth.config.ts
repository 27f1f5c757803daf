import { LIMITS } from '@meetmark/contracts';
import { SecretsVariable, ServiceConfig, UrlVariable } from '@meetmark/platform';
import { IsEmail, IsIn, IsOptional, Length, MaxLength, ValidateIf } from 'class-validator';

export class AuthConfig extends ServiceConfig {
  /** The address that browsers use, if it is given: secrets of an installation for people must be strong. */
  @IsOptional()
  @UrlVariable('http', 'https')
  publicUrl?: string;

  @SecretsVariable()
  declare gatewayAuthSecrets: string[];

  /** Of what admin passes on for a gateway of 1.0.0. */
  @SecretsVariable()
  declare adminAuthSecrets: string[];

  /** Key the stored reset codes, and seal the copies that the worker mails. */
  @SecretsVariable()
  resetCodeSecrets!: string[];

  /** Seal the secrets of authenticators. One that sealed a stored secret must stay in the list. */
  @SecretsVariable()
  secondFactorSecrets!: string[];

  /** Whether administrators have their rights only with a second factor. */
  @IsIn(['required', 'encouraged'], { message: 'must be required or encouraged' })
  adminSecondFactor: 'required' | 'encouraged' = 'required';

  /** With ADMIN_PASSWORD: the first administrator, made at start when there is none. */
  @ValidateIf(givesAdministrator)
  @MaxLength(LIMITS.email, { message: `must have at most ${LIMITS.email} characters` })
  @IsEmail(
    { allow_utf8_local_part: false },
    { message: 'must be an email address, and set when ADMIN_PASSWORD is' },
  )
  adminEmail?: string;

  @ValidateIf(givesAdministrator)
  @Length(LIMITS.passwordMin, LIMITS.password, {
    message: `must have ${LIMITS.passwordMin} to ${LIMITS.password} characters, and be set when ADMIN_EMAIL is`,
  })
  adminPassword?: string;
}

function givesAdministrator({ adminEmail, adminPassword }: AuthConfig): boolean {
  return adminEmail !== undefined || adminPassword !== undefined;
}
