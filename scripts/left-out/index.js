/** What others ask for by these names is never called here. */
const leftOut = () => {
  throw new Error('This package is left out: scripts/left-out stands for it.');
};

// html2canvas
export default leftOut;
// libphonenumber-js/max
export { leftOut as parsePhoneNumber };
