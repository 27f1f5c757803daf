import { IntegerVariable, SecretsVariable, SiteConfig, StoreConfig, UrlVariable } from '@meetmark/platform';
import { IsEmail, IsString } from 'class-validator';

/**
 * Shortest allowed lock in milliseconds. With a shorter lock, a busy process couldn't renew its locks in
 * time.
 */
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
   * Number of emails that a replica sends at the same time, per queue (`mail`, `messages`, `announcements`).
   * If the replica is killed, these emails may arrive twice.
   */
  @IntegerVariable(1, 50)
  mailConcurrency = 1;

  /**
   * Emails per second that all replicas together send, for each of the queues `messages` and `announcements`.
   * Mail servers limit the rate.
   */
  @IntegerVariable(1, 1_000)
  messagesPerSecond = 25;

  /** At least 30, because the database refuses to delete younger entries. */
  @IntegerVariable(30, 36_500)
  auditRetentionDays = 730;

  /** Milliseconds until the lock on a job expires. Then another worker can run the job of a killed worker. */
  @IntegerVariable(MIN_LOCK, MAX_PAUSE)
  jobLock = 8_000;

  /**
   * Milliseconds between checks for jobs of killed workers. The second check that finds a job queues it
   * again.
   */
  @IntegerVariable(MIN_PAUSE, MAX_PAUSE)
  takeOverEvery = 3_000;

  /**
   * Milliseconds between polls for jobs that Redis lost, and for outbox rows whose notification was missed.
   */
  @IntegerVariable(MIN_PAUSE, MAX_PAUSE)
  lookEvery = 5_000;

  /**
   * Milliseconds before the second attempt. Each further pause is twice as long, up to an hour. Each pause is
   * shortened at random, by up to half.
   */
  @IntegerVariable(MIN_PAUSE, MAX_PAUSE)
  retryAfter = 1_000;

  @IsString()
  queuePrefix = 'jobs';
}
