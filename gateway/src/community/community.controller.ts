import type { Community } from '@meetmark/contracts';
import { Controller, Get, Inject, Req, Res } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { Access } from '../access/access.js';
import { Answer } from '../answers/answer.js';
import { Describe } from '../openapi/describe.js';
import { COMMUNITY } from './community.token.js';

@Controller('api/config')
export class CommunityController {
  private readonly answer: Answer;

  constructor(@Inject(COMMUNITY) community: Community) {
    this.answer = Answer.json(community);
  }

  @Describe({ summary: 'The configuration of the community', answers: { 200: 'Community' } })
  @Get()
  @Access('public')
  config(@Req() request: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
    return this.answer.send(request, reply);
  }
}
