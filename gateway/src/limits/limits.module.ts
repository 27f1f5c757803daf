import { Module } from '@nestjs/common';
import { SessionsModule } from '../sessions/sessions.module.js';
import { Pseudonyms } from '../security/pseudonyms.js';
import { AccountTurns } from './account-turns.js';
import { ApiLimits } from './api-limits.js';
import { CodeLimits } from './code-limits.js';
import { Misses } from './misses.js';
import { RateLimiter } from './rate-limiter.js';
import { SignInLimits } from './sign-in-limits.js';

const limits = [Pseudonyms, RateLimiter, AccountTurns, ApiLimits, SignInLimits, CodeLimits, Misses];

@Module({ imports: [SessionsModule], providers: limits, exports: limits })
export class LimitsModule {}
