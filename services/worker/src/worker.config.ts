import { IntegerVariable, SecretsVariable, SiteConfig, StoreConfig, UrlVariable } from '@meetmark/platform';
import { IsEmail, IsString } from 'class-validator';

/** Shortest lock in milliseconds. Even a busy process must manage to renew a lock in half of this time. */
const MIN_LOCK = 1_000;
const [MIN_PAUSE, MAX_PAUSE] = [50, 60_000];

export class WorkerConfig extends SiteConfig(StoreConfig) {
  /**
   * Includes the credentials. `smtp://user:password@host:587` requires STARTTLS, and `smtps://` uses TLS.
   * `?tls=off` turns encryption off.
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

  /** The same secrets as in the events service. The worker uses the first one. */
  @SecretsVariable()
  guestCodeSecrets!: string[];

  /**
   * Emails that a replica sends at the same time from each of the queues `mail`, `messages` and
   * `announcements`. These emails may arrive twice if the replica is killed.
   */
  @IntegerVariable(1, 50)
  mailConcurrency = 1;

  /** Limit of the queue `messages`, and of `announcements`, for all replicas. Mail servers limit the rate. */
  @IntegerVariable(1, 1_000)
  messagesPerSecond = 25;

  /** At least 30, because the database refuses to delete younger entries. */
  @IntegerVariable(30, 36_500)
  auditRetentionDays = 730;

  /** Milliseconds that a lock on a job lasts. Then another worker can run a killed worker's job. */
  @IntegerVariable(MIN_LOCK, MAX_PAUSE)
  jobLock = 8_000;

  /** Milliseconds between checks for jobs of killed workers. The second check queues such a job again. */
  @IntegerVariable(MIN_PAUSE, MAX_PAUSE)
  takeOverEvery = 3_000;

  /** Milliseconds between polls for outbox rows without a notification, and for jobs that Redis lost. */
  @IntegerVariable(MIN_PAUSE, MAX_PAUSE)
  lookEvery = 5_000;

  /**
   * Milliseconds before the second attempt. Each further pause is twice as long, up to an hour. Up to half of
   * it is left out at random.
   */
  @IntegerVariable(MIN_PAUSE, MAX_PAUSE)
  retryAfter = 1_000;

  @IsString()
  queuePrefix = 'jobs';
}
