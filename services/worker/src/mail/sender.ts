import type { Community } from '@meetmark/contracts';
import { Injectable } from '@nestjs/common';
import { WorkerConfig } from '../worker.config.js';
import { InjectCommunity } from '@meetmark/platform';
import { plain } from '@meetmark/platform/mail/plain';

/** The sender of mails and calendar entries. */
@Injectable()
export class Sender {
  readonly name: string;
  readonly address: string;

  constructor({ mailFrom }: WorkerConfig, @InjectCommunity() community: Community) {
    const [, name, address] = /^(.*?)\s*<(.+)>$/.exec(mailFrom) ?? [];
    this.name = plain(name?.replaceAll('"', '') || community.name);
    this.address = address ?? mailFrom;
  }

  /** The domain of our Message-IDs. */
  get domain(): string {
    return this.address.slice(this.address.lastIndexOf('@') + 1);
  }
}
