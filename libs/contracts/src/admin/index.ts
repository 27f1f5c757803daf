export * from './audit.js';
export * from './checklist.js';
export * from './settings.js';
export * from './system.js';
