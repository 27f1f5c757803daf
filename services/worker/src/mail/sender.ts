import type { CommunitySettings } from '@meetmark/contracts';
import { Injectable } from '@nestjs/common';
import { WorkerConfig } from '../worker.config.js';
import { InjectCommunity } from '@meetmark/platform';
import { plain } from '@meetmark/platform/mail/plain';

@Injectable()
export class Sender {
  readonly address: string;
  private readonly configuredName: string;

  constructor(
    { mailFrom }: WorkerConfig,
    @InjectCommunity() private readonly community: Pick<CommunitySettings, 'name' | 'senderName'>,
  ) {
    const [, name, address] = /^(.*?)\s*<(.+)>$/.exec(mailFrom) ?? [];
    this.configuredName = name?.replaceAll('"', '') ?? '';
    this.address = address ?? mailFrom;
  }

  get name(): string {
    const { senderName, name } = this.community;
    return plain(senderName ?? (this.configuredName || name));
  }

  get domain(): string {
    return this.address.slice(this.address.lastIndexOf('@') + 1);
  }
}
