"""The SQLite file that holds the state: schema, transactions, one module of queries per entity."""
