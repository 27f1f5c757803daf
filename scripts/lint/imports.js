// The rule behind boundaries.js: oxlint's own has regular expressions that cannot say 'all but these'.

/** The names that a declaration takes from a module; `undefined` where it takes all of them, or none. */
const namesOf = ({ specifiers = [] }) =>
  specifiers.map(({ imported, local, type }) =>
    type === 'ExportSpecifier' ? local.name : type === 'ImportSpecifier' ? imported.name : undefined,
  );
const isType = (node) =>
  (node.importKind ?? node.exportKind) === 'type' ||
  (node.specifiers?.length > 0 &&
    node.specifiers.every(({ importKind, exportKind }) => (importKind ?? exportKind) === 'type'));

export const imports = {
  meta: {
    type: 'problem',
    docs: { description: 'Who may import whom (boundaries.js).' },
    messages: { forbidden: '{{message}}' },
    schema: [{ type: 'object' }],
  },
  create(context) {
    const [{ paths = [], patterns = [] }] = context.options;
    const compiled = patterns.map((pattern) => ({ ...pattern, regex: new RegExp(pattern.regex, 'u') }));
    const forbids =
      (node, from) =>
      ({ regex, allowTypeImports, importNames }) =>
        regex.test(from) &&
        !(allowTypeImports && isType(node)) &&
        (!importNames || namesOf(node).some((name) => name === undefined || importNames.includes(name)));
    const check = (node) => {
      const from = node.source?.value;
      if (typeof from !== 'string') return;
      const broken = [
        ...compiled.filter(forbids(node, from)),
        ...paths.filter(
          ({ name, allowImportNames }) =>
            name === from &&
            namesOf(node).some((each) => each === undefined || !allowImportNames.includes(each)),
        ),
      ];
      for (const { message } of broken) context.report({ node, messageId: 'forbidden', data: { message } });
    };
    return {
      ImportDeclaration: check,
      ExportNamedDeclaration: check,
      ExportAllDeclaration: check,
      ImportExpression: check,
    };
  },
};
