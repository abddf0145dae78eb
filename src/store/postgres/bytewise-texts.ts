// Texts compare by their bytes, in every locale of the server: columns of text are made so, whichever step makes them.
import {
  type ColumnDefinitionNode,
  DataTypeNode,
  type KyselyPlugin,
  OperationNodeTransformer,
  RawNode,
} from 'kysely';

class BytewiseColumns extends OperationNodeTransformer {
  protected override transformColumnDefinition(node: ColumnDefinitionNode): ColumnDefinitionNode {
    const column = super.transformColumnDefinition(node);
    const isText = DataTypeNode.is(column.dataType) && column.dataType.dataType === 'text';
    return isText ? { ...column, dataType: RawNode.createWithSql('text collate "C"') } : column;
  }
}

const columns = new BytewiseColumns();

export const bytewiseTexts: KyselyPlugin = {
  transformQuery: ({ node }) => columns.transformNode(node),
  transformResult: async ({ result }) => result,
};
