import type { Community } from '@meetmark/contracts';
import { Injectable } from '@nestjs/common';
import { WorkerConfig } from '../worker.config.js';
import { InjectCommunity } from './community.js';
import { plain } from './plain.js';

/** Whom mails and calendar entries come from. */
@Injectable()
export class Sender {
  readonly name: string;
  readonly address: string;

  constructor({ mailFrom }: WorkerConfig, @InjectCommunity() community: Community) {
    const [, name, address] = /^(.*?)\s*<(.+)>$/.exec(mailFrom) ?? [];
    this.name = plain(name?.replaceAll('"', '') || community.name);
    this.address = address ?? mailFrom;
  }

  /** What stands behind the @ of our Message-IDs. */
  get domain(): string {
    return this.address.slice(this.address.lastIndexOf('@') + 1);
  }
}
