const { TestEnvironment } = require('jest-environment-node');
const { closing } = require('./open-handles.cjs');

module.exports = closing(TestEnvironment);
