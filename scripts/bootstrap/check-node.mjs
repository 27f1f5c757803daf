const OLDEST = { 20: 19, 22: 12 };
const NEWEST_LISTED = 24;

/** Ends the process with a readable message when this Node is too old. */
export function checkNode() {
  const [major, minor] = process.versions.node.split('.').map(Number);
  const oldestMinor = OLDEST[major];
  if (major >= NEWEST_LISTED || (oldestMinor !== undefined && minor >= oldestMinor)) return;
  console.error(
    `Meetmark needs Node.js 20.19, 22.12, or 24 and newer, and this is ${process.versions.node}.\n` +
      'Install a current version from https://nodejs.org, or with a version manager: nvm install 24',
  );
  process.exit(1);
}
