// React calls what an effect or a ref callback returns as its clean-up. Scrolling, `play()` and many more return a promise in newer
// browsers, so what is returned has to be meant: a function that is written there.

const EFFECTS = /^use(Layout|Insertion)?Effect$/;
const FUNCTIONS = new Set(['ArrowFunctionExpression', 'FunctionExpression']);

const nameOf = (callee) => (callee.type === 'MemberExpression' ? callee.property.name : callee.name);
const isEffect = (node, parent = node.parent) =>
  parent.type === 'CallExpression' &&
  parent.arguments[0] === node &&
  EFFECTS.test(nameOf(parent.callee) ?? '');
const isRef = ({ parent }) =>
  parent.type === 'JSXExpressionContainer' &&
  parent.parent.type === 'JSXAttribute' &&
  parent.parent.name.name === 'ref';
const isCleanUp = (returned) =>
  returned === null ||
  FUNCTIONS.has(returned.type) ||
  (returned.type === 'Identifier' && returned.name === 'undefined');

export const returnsOnPurpose = {
  meta: {
    type: 'problem',
    docs: {
      description:
        'An effect and a ref callback return nothing, or a clean-up function that is written there.',
    },
    messages: {
      written: 'Write the effect as a function here, so that what it returns can be seen.',
      block: 'Use a block: React calls what this returns as the clean-up.',
      asynchronous: 'An async function returns a promise, which React takes for the clean-up.',
      cleanUp: 'Return nothing, or a function written here: React calls it as the clean-up.',
    },
    schema: [],
  },
  create(context) {
    /** Functions around the node, and whether React calls what they return. */
    const around = [];
    const enter = (node) => {
      const calledByReact = isEffect(node) || isRef(node);
      around.push(calledByReact);
      if (!calledByReact) return;
      if (node.async) context.report({ node, messageId: 'asynchronous' });
      else if (node.body.type !== 'BlockStatement' && !isCleanUp(node.body))
        context.report({ node: node.body, messageId: 'block' });
    };
    const leave = () => around.pop();
    return {
      CallExpression(node) {
        const [effect] = node.arguments;
        if (effect && isEffect(effect, node) && !FUNCTIONS.has(effect.type))
          context.report({ node: effect, messageId: 'written' });
      },
      ArrowFunctionExpression: enter,
      FunctionExpression: enter,
      FunctionDeclaration: enter,
      'ArrowFunctionExpression:exit': leave,
      'FunctionExpression:exit': leave,
      'FunctionDeclaration:exit': leave,
      ReturnStatement({ argument }) {
        if (around.at(-1) && !isCleanUp(argument)) context.report({ node: argument, messageId: 'cleanUp' });
      },
    };
  },
};
