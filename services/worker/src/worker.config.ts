import { IntegerVariable, SecretsVariable, SiteConfig, StoreConfig, UrlVariable } from '@meetmark/platform';
import { IsEmail, IsString } from 'class-validator';

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

  /** Prefix of every Redis key of the job queues. */
  @IsString()
  queuePrefix = 'jobs';
}
