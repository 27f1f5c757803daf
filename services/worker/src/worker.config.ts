import { IntegerVariable, SecretsVariable, SiteConfig, StoreConfig, UrlVariable } from '@meetmark/platform';
import { IsEmail, IsString } from 'class-validator';

/** Milliseconds. A busy process must be able to renew a lock after half of this time. */
const MIN_LOCK = 1_000;
const [MIN_PAUSE, MAX_PAUSE] = [50, 60_000];

export class WorkerConfig extends SiteConfig(StoreConfig) {
  /**
   * With credentials. `smtp://user:password@host:587` requires STARTTLS, `smtps://` uses TLS, and `?tls=off`
   * turns encryption off.
   */
  @UrlVariable('smtp', 'smtps')
  smtpUrl!: string;

  /** `events@example.org`, shown with the community's name, or `Our name <events@example.org>`. */
  @IsEmail(
    { require_tld: false, allow_display_name: true },
    { message: 'must be an email address, such as events@example.org or Our name <events@example.org>' },
  )
  mailFrom!: string;

  @SecretsVariable()
  linkSecrets!: string[];

  @SecretsVariable()
  resetCodeSecrets!: string[];

  /** The same as in the events service. The first one is used. */
  @SecretsVariable()
  guestCodeSecrets!: string[];

  /**
   * Per replica. Organisers' messages, and announcements and digests, can be as many each in addition.
   * Each of them may arrive twice if the replica is killed.
   */
  @IntegerVariable(1, 50)
  mailConcurrency = 1;

  /** By all replicas. The same applies to announcements and digests. Protects the mail server's limits. */
  @IntegerVariable(1, 1_000)
  messagesPerSecond = 25;

  /** The database doesn't allow deletion before 30 days. */
  @IntegerVariable(30, 36_500)
  auditRetentionDays = 730;

  /** Milliseconds until a worker renews its lock, or other workers can take over the jobs of a killed one. */
  @IntegerVariable(MIN_LOCK, MAX_PAUSE)
  jobLock = 8_000;

  /** Milliseconds. A killed worker's job is taken over at the second check. */
  @IntegerVariable(MIN_PAUSE, MAX_PAUSE)
  takeOverEvery = 3_000;

  /** Milliseconds between polls for outbox rows without a notification, and for jobs that Redis lost. */
  @IntegerVariable(MIN_PAUSE, MAX_PAUSE)
  lookEvery = 5_000;

  /** Milliseconds before the second attempt. The pause doubles up to an hour, minus up to half at random. */
  @IntegerVariable(MIN_PAUSE, MAX_PAUSE)
  retryAfter = 1_000;

  @IsString()
  queuePrefix = 'jobs';
}
