import { createHmac } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { GatewayConfig } from '../gateway.config.js';

const BYTES = 16;

/**
 * Replaces addresses, accounts and networks where they must be recognised and must not be read. They depend on the first session
 * secret, so the database or Redis alone do not allow to try addresses until one fits. A new first secret starts new pseudonyms.
 */
@Injectable()
export class Pseudonyms {
  private readonly secret: string;

  constructor({ sessionSecrets }: GatewayConfig) {
    this.secret = sessionSecrets[0]!;
  }

  /** Different for each purpose. */
  of(purpose: 'limited account' | 'account' | 'network', text: string): string {
    return createHmac('sha256', this.secret)
      .update(`${purpose}:${text}`)
      .digest()
      .subarray(0, BYTES)
      .toString('base64url');
  }
}
