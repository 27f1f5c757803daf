import { Module } from '@nestjs/common';
import { ApiLimits } from './api-limits.js';
import { RateLimiter } from './rate-limiter.js';
import { ResetCodeLimits } from './reset-code-limits.js';
import { SignInLimits } from './sign-in-limits.js';

const limits = [RateLimiter, ApiLimits, SignInLimits, ResetCodeLimits];

@Module({ providers: limits, exports: limits })
export class LimitsModule {}
