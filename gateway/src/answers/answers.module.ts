import { Module } from '@nestjs/common';
import { EventsVersion } from './events-version.js';
import { PublicAnswers } from './public-answers.js';

@Module({ providers: [EventsVersion, PublicAnswers], exports: [PublicAnswers] })
export class AnswersModule {}
