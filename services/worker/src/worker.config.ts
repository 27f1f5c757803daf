import { IntegerVariable, SecretsVariable, SiteConfig, StoreConfig, UrlVariable } from '@meetmark/platform';
import { IsEmail, IsString } from 'class-validator';

/** Milliseconds. A lock is renewed at half its time, which a busy process must not miss. */
const MIN_LOCK = 1_000;
const [MIN_PAUSE, MAX_PAUSE] = [50, 60_000];

/** Everything the worker reads from its environment. */
export class WorkerConfig extends SiteConfig(StoreConfig) {
  /**
   * The mail server with its credentials: `smtp://user:password@host:587`, which has to offer TLS, or `smtps://` for TLS from the first
   * byte. `?tls=off` sends mails and credentials as they are, such as to a mail catcher.
   */
  @UrlVariable('smtp', 'smtps')
  smtpUrl!: string;

  /** The sender of mails: `events@example.org`, shown beside the community's name, or `Our name <events@example.org>`. */
  @IsEmail({ require_tld: false, allow_display_name: true }, { message: 'must be an email address' })
  mailFrom!: string;

  /** Sign the one-click unsubscribe links; the gateway verifies them. */
  @SecretsVariable()
  linkSecrets!: string[];

  /** Open the sealed copies of codes that the auth service leaves for the mail. */
  @SecretsVariable()
  resetCodeSecrets!: string[];

  /** Make the codes of guests as the events service does; the first one counts. */
  @SecretsVariable()
  guestCodeSecrets!: string[];

  /** Mails sent at the same time by this replica, and as many more of organisers' messages, and of announcements and digests. Each can arrive twice if the replica is killed in the middle of it. */
  @IntegerVariable(1, 50)
  mailConcurrency = 1;

  /**
   * Mails of organisers' messages that all replicas together send in a second, evenly, and as many of announcements and digests. What goes
   * to many would else take the whole machine, and more than many a mail server allows; 500 take 20 s, 5,000 take 200 s.
   */
  @IntegerVariable(1, 1_000)
  messagesPerSecond = 25;

  /** Days after which an entry of the audit log is removed. The database keeps each for 30 days at least. */
  @IntegerVariable(30, 36_500)
  auditRetentionDays = 730;

  /** Milliseconds for which a job is a worker's own. It says in time that it is still at it; the jobs of a killed one are free afterwards. */
  @IntegerVariable(MIN_LOCK, MAX_PAUSE)
  jobLock = 8_000;

  /** Milliseconds between two looks for jobs of killed workers, which are taken over when a second look finds them free. */
  @IntegerVariable(MIN_PAUSE, MAX_PAUSE)
  takeOverEvery = 3_000;

  /** Milliseconds between two looks for what no message tells of: rows of the outbox whose commit was not heard of, and jobs that Redis lost. */
  @IntegerVariable(MIN_PAUSE, MAX_PAUSE)
  lookEvery = 5_000;

  /** Milliseconds before the second attempt at a job, and twice as many before each further one, all shortened by up to half. */
  @IntegerVariable(MIN_PAUSE, MAX_PAUSE)
  retryAfter = 1_000;

  /** Prefix of every Redis key of the job queues. */
  @IsString()
  queuePrefix = 'jobs';
}
