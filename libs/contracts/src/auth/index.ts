export * from './accounts.js';
export * from './codes.js';
export * from './mail-preferences.js';
export * from './profiles.js';
export * from './second-factors.js';
export * from './setup.js';
export * from './sign-in.js';
export * from './users.js';
