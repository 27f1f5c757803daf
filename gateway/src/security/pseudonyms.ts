import { createHmac } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { GatewayConfig } from '../gateway.config.js';

const BYTES = 16;

/**
 * Stands for an address, an account or a network where it has to be recognised again and must not be read. Under the first session secret:
 * whoever has only the database or Redis cannot try addresses until one fits. A new first secret begins anew.
 */
@Injectable()
export class Pseudonyms {
  private readonly secret: string;

  constructor({ sessionSecrets }: GatewayConfig) {
    this.secret = sessionSecrets[0]!;
  }

  /** Of the same text another one for each purpose. */
  of(purpose: 'limited account' | 'account' | 'network', text: string): string {
    return createHmac('sha256', this.secret)
      .update(`${purpose}:${text}`)
      .digest()
      .subarray(0, BYTES)
      .toString('base64url');
  }
}
